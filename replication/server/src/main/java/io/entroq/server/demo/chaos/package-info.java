/**
 * Workers that fail: they die, or hang past their lease, as often as they are told to.
 *
 * <p>Knows nothing of what the work is. Started and closed by the demo's main thread; each worker
 * has threads of its own.
 */
package io.entroq.server.demo.chaos;
