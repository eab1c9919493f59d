/**
 * Load without waiting threads: the next call of a loop begins on the thread that receives the last
 * answer. One thread starts and ends the loops.
 */
package io.entroq.load.async;
