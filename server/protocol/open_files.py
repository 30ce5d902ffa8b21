"""Limit of the files and connections that a process may have open."""


def allow_files(wanted: int) -> int:
    """Raise the process's limit of open files as far as it may be; return how many of the wanted ones it can have, or all where there is no limit."""
    try:
        import resource  # noqa: PLC0415
    except ImportError:  # This system has no such limit.
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
