"""The parts of which pages are made, whether a browser asks for them (`server.web`) or a file holds them (`server.report`): HTML, dice, pictures, stories, style."""
