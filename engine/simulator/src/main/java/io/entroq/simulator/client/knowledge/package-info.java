/**
 * What the clients of one world know: the tasks and docs in their replies, and names, ids and
 * values that tell what was written.
 *
 * <p>For {@link io.entroq.simulator.client} only. One thread.
 */
package io.entroq.simulator.client.knowledge;
