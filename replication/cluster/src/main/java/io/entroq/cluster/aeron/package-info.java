/**
 * What a member plugs into Aeron's media driver, archive and consensus module: idle strategies that
 * wake each other, clocks that do not jump, limits that fit a slow machine, the rules of Raft that
 * it leaves out, frame checksums, counters that stay readable, and monitors of stalls and
 * elections.
 *
 * <p>Only {@code member} uses it, to configure the components. Each class names its threads.
 */
package io.entroq.cluster.aeron;
