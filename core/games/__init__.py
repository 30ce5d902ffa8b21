"""Games that are part of War Diary: a folder each."""
