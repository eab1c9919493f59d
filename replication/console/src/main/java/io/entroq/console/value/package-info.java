/**
 * What tasks hold, made fit to be read: values as trees or bytes, error texts, times. Everything is
 * bounded, however large the value is; nothing is escaped, which the templates do. Any thread.
 */
package io.entroq.console.value;
