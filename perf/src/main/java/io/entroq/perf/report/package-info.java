/**
 * How benchmarks report: settings and machine first, Markdown tables to paste into a document, and
 * one line of JSON last, for programs. Each benchmark reports on one thread.
 */
package io.entroq.perf.report;
