/**
 * Measures the code itself: the methods that a call enters, and lines by module and purpose. {@link
 * io.entroq.perf.code.CallWalk} and {@link io.entroq.perf.code.LineCount} are the main classes. One
 * thread each; nothing else uses this package.
 */
package io.entroq.perf.code;
