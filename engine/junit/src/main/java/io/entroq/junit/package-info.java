/**
 * For tests with JUnit of code and workers that use EntroQ.
 *
 * <p>{@link io.entroq.junit.EntroQExtension} gives each test a queue of its own, whose clock the
 * test moves, and shows what happened to the tasks if the test fails. {@link
 * io.entroq.junit.QueueAssert} checks what is in a queue.
 */
package io.entroq.junit;
