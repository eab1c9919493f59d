/**
 * The rules of the queue once more, as plainly as they can be said: immutable records in {@code
 * java.util} collections, one small method per rule.
 *
 * <p>The model is told each command, its place and time in the log, and what the engine answered.
 * It checks every answer and adopts the one thing that is free: which available task a claim takes.
 * It shares no code with the engine beyond the generated messages. One thread at a time.
 */
package io.entroq.simulator.model;
