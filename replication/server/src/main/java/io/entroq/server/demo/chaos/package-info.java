/**
 * Workers that crash, or hang past their lease, at configured rates.
 *
 * <p>Independent of the work they do. The demo's main thread starts and closes them; each worker
 * has its own threads.
 */
package io.entroq.server.demo.chaos;
