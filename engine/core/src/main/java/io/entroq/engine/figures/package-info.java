/** What can be read off a running engine: numbers for metrics and for those who look after it. */
package io.entroq.engine.figures;
