/**
 * The pages. This package is small because the pages are still to come. Handlers return at once;
 * any thread of the console's pool.
 */
package io.entroq.console.screen;
