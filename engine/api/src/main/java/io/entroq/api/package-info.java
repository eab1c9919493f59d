/**
 * What users see: the queue itself, tasks, claims, atomic modifications, and workers.
 *
 * <p>The same interfaces hold over an embedded engine, a server, and a replicated cluster. Anyone
 * may call this; it is light and needs no JVM flags. Types are safe to use from any thread unless
 * they say otherwise.
 */
package io.entroq.api;
