"""The run of a verb: options, context, streams, errors, files, processes, connections."""
