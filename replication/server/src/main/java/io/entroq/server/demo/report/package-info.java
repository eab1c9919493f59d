/**
 * Output of the demo: progress while it runs, then a summary as text or JSON.
 *
 * <p>Called only on the demo's main thread.
 */
package io.entroq.server.demo.report;
