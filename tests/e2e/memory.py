"""What a server has allocated, by its own word: exact also under a sanitizer, whose allocator keeps for
a while what was given back."""
import re
import urllib.request


def in_use_kib(metrics_url, patience_s=60):
    """KiB in use, from the server's metrics at this address."""
    text = urllib.request.urlopen(metrics_url, timeout=patience_s).read().decode()
    return int(float(re.search(r"^triquetra_heap_bytes (\S+)$", text, re.MULTILINE)[1])) // 1024
