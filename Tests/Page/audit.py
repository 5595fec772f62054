"""What shuts people out of a page."""

from axe_playwright_python.sync_playwright import Axe

TAGS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def findings(page) -> list[str]:
    """What axe finds, and whether anything has to be scrolled sideways."""
    page.wait_for_timeout(300)
    found = Axe().run(page, options=TAGS).response["violations"]
    report = [f"{entry['id']}: {node['html'][:160]}" for entry in found for node in entry["nodes"]]
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return report + ([f"it scrolls sideways by {wider} pixels"] if wider > 0 else [])


# The rules that colours decide.
COLOURS = ["color-contrast", "link-in-text-block"]


def colours(page, theme: str) -> list[str]:
    """What axe, which has looked at this screen, finds wrong with it in another theme: only colours are other ones."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    found = page.evaluate("rules => axe.run({ runOnly: { type: 'rule', values: rules }, resultTypes: ['violations'] })", COLOURS)["violations"]
    page.emulate_media(color_scheme="light" if theme == "dark" else "dark", reduced_motion="no-preference")
    return [f"{theme}: {entry['id']}: {node['html'][:160]}" for entry in found for node in entry["nodes"]]


# What can be used has to be reachable by a pointer, and what is written to be read: nothing lies above it, and it is not cut off without a sign.
LAYOUT = r"""() => {
    const layer = document.querySelector(".menu") ?? [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const name = (element) => element.outerHTML.slice(0, 130);
    const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".unseen, .skip, .note-layer");
    const found = [];
    for (const element of layer.querySelectorAll("a[href], button, input, textarea, [role=switch], [role=radio]")) {
        if (!isSeen(element) || element.closest(".room-more, .row-more, .message-actions")) continue;
        let box = element.getBoundingClientRect();
        if (box.left < -1 || box.right > innerWidth + 1) {
            // What scrolls by itself brings it into view.
            const scroller = (node) => node && (/auto|scroll/.test(getComputedStyle(node).overflowX) && node.scrollWidth > node.clientWidth ? node : scroller(node.parentElement));
            if (!scroller(element)) found.push(`stands out at a side: ${name(element)}`);
            continue;
        }
        const hit = () => {
            box = element.getBoundingClientRect();
            const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return top && (element.contains(top) || top.contains(element) || top.closest("label, li, .box") === element.closest("label, li, .box") && !!element.closest("label, li, .box"));
        };
        if (!hit()) {
            element.scrollIntoView({ block: "center" });
            if (!hit()) found.push(`is covered: ${name(element)} by ${name(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) ?? document.body)}`);
        }
    }
    for (const element of layer.querySelectorAll("*")) {
        const style = getComputedStyle(element);
        if (!isSeen(element) || !/hidden|clip/.test(style.overflowX) || element.matches("body, html, svg, svg *, img, input, textarea")) continue;
        const isMarked = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        if (!isMarked && element.scrollWidth > element.clientWidth + 1 && element.textContent.trim()) found.push(`is cut off: ${name(element)} (${element.scrollWidth} in ${element.clientWidth})`);
    }
    return found;
}"""


def layout(page) -> list[str]:
    """What is covered or cut off on the screen."""
    return page.evaluate(LAYOUT)
