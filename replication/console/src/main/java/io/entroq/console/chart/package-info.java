/** Charts as SVG, which need no script. Immutable; any thread. */
package io.entroq.console.chart;
