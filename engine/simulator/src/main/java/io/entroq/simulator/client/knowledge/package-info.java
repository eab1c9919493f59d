/**
 * What the clients of one world know: the tasks and docs that replies have shown them, and how
 * names, ids and values tell what was written.
 *
 * <p>For {@link io.entroq.simulator.client} only. One thread.
 */
package io.entroq.simulator.client.knowledge;
