/** What a run is told as: tables and settings as Markdown, figures as CSV, bars as SVG. */
package io.entroq.perf.peers.report;
