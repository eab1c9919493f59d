/** How long an engine takes from its opening to its first answer. */
package io.entroq.perf.open;
