/**
 * The console: pages over HTTP that show a queue and operate it. Here is how it is started; {@code
 * web} is what carries pages, {@code screen} the pages, {@code call} how they reach the queue.
 *
 * <p>This package is small because a console has little to be told: it does what any client may.
 */
package io.entroq.console;
