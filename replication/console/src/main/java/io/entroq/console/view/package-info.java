/**
 * What templates show, as records. This package is small because the templates hold the rest: they
 * become classes of {@code io.entroq.console.view.jte}. Immutable; any thread.
 */
package io.entroq.console.view;
