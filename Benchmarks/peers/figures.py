"""What the figures of pages have in common."""


def percentile(samples: list[float], share: float) -> float:
    return sorted(samples)[min(len(samples) - 1, round(len(samples) * share))]


def heap(page) -> float:
    """Megabytes that scripts have in use. What waits to be collected does not count, or each run would have another figure."""
    client = page.context.new_cdp_session(page)
    client.send("HeapProfiler.collectGarbage")
    used = client.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    client.detach()
    return used
