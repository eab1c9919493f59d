/**
 * What people see of the demo: progress while it runs, and a summary as text and as JSON.
 *
 * <p>Called by the demo's main thread only.
 */
package io.entroq.server.demo.report;
