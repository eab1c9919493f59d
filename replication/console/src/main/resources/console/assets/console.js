'use strict';

// A tab that nobody sees asks for nothing.
document.addEventListener('htmx:beforeRequest', (event) => {
  if (document.hidden && event.detail.elt.hasAttribute('data-live')) {
    event.preventDefault();
  }
});

// What has the focus keeps it, and where the reader writes is left alone.
const REACHABLE = 'a[href], button, summary, [tabindex]';
let focused = null;

function key(element) {
  return element.getAttribute('href') || element.getAttribute('aria-label') || element.textContent;
}

function alike(live, text) {
  return Array.from(live.querySelectorAll(REACHABLE)).filter((element) => key(element) === text);
}

document.addEventListener('htmx:beforeSwap', (event) => {
  const live = event.detail.target;
  const active = document.activeElement;
  if (active && live.contains(active) && active.matches('input:not([type=hidden]), textarea, select')) {
    event.detail.shouldSwap = false;
    return;
  }
  focused = null;
  if (active && live.contains(active)) {
    const text = key(active);
    focused = {text, index: alike(live, text).indexOf(active)};
  }
});
document.addEventListener('htmx:afterSwap', (event) => {
  const again = focused && alike(event.detail.target, focused.text)[focused.index];
  if (again) {
    again.focus({preventScroll: true});
  }
});

// While the server does not answer, or cannot, say so.
for (const failure of ['htmx:sendError', 'htmx:timeout']) {
  document.addEventListener(failure, () => document.body.classList.add('stale'));
}
document.addEventListener('htmx:afterOnLoad', (event) => {
  document.body.classList.toggle('stale', !event.detail.successful);
});

// The slider over the past says the time at which it stands. What moves it with a pointer goes there
// when it lets go; with keys, many moves come before Enter.
function timeText(ms) {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

for (const form of document.querySelectorAll('[data-slider]')) {
  const slide = form.elements.slide;
  let isByKey = true;
  const tell = (ms) => {
    const text = String(ms) === slide.max ? 'now' : timeText(Number(ms));
    slide.setAttribute('aria-valuetext', text);
    form.querySelector('[data-slide-time]').textContent = text;
  };
  slide.addEventListener('pointerdown', () => { isByKey = false; });
  slide.addEventListener('keydown', () => { isByKey = true; });
  slide.addEventListener('input', () => tell(slide.value));
  slide.addEventListener('change', () => {
    if (!isByKey) {
      form.elements.at.value = '';
      form.requestSubmit();
    }
  });
  // Where it begins, it may stand beside the time.
  tell(slide.getAttribute('value'));
}
