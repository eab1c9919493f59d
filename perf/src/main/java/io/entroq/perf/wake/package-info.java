/**
 * Measures how long it takes until a claim that waits has a task that came, or became due. A main
 * method; two threads, of which one waits.
 */
package io.entroq.perf.wake;
