/**
 * How figures are told: settings and machine first, a table that can be pasted into a document, and
 * one line of JSON last, for programs.
 */
package io.entroq.perf.report;
