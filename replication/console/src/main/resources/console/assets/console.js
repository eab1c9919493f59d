'use strict';

// A tab that nobody sees asks for nothing.
document.addEventListener('htmx:beforeRequest', (event) => {
  if (document.hidden && event.detail.elt.hasAttribute('data-live')) {
    event.preventDefault();
  }
});

// What the reader has opened stays open, and where the reader writes is left alone.
let open = [];
document.addEventListener('htmx:beforeSwap', (event) => {
  const live = event.detail.target;
  if (event.detail.xhr.redirected || event.detail.xhr.status === 401) {
    return;
  }
  const active = document.activeElement;
  if (active && live.contains(active) && active.matches('input:not([type=hidden]), textarea, select')) {
    event.detail.shouldSwap = false;
    return;
  }
  open = Array.from(live.querySelectorAll('details[open][id]'), (details) => details.id);
});
document.addEventListener('htmx:afterSwap', () => {
  for (const id of open) {
    const details = document.getElementById(id);
    if (details) {
      details.open = true;
    }
  }
});

// While the server does not answer, say so.
document.addEventListener('htmx:sendError', () => document.body.classList.add('stale'));
document.addEventListener('htmx:afterOnLoad', () => document.body.classList.remove('stale'));
