/** Reports of a run: Markdown tables and settings, figures as CSV, plots as SVG. One thread. */
package io.entroq.perf.peers.report;
