/**
 * What an application takes along and waits for: the sizes of jars, and the time until a server, an
 * embedded queue and a client have done their first work. One thread starts one process after the
 * other; {@code perf/README.md} has the results.
 */
package io.entroq.perf.startup;
