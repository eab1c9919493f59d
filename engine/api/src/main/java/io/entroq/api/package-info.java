/**
 * What users see: the queue itself, tasks, claims, atomic modifications.
 *
 * <pre>{@code
 * try (EntroQ queue = EmbeddedEntroQ.open(Path.of("data"))) {
 *   queue.modify(Modification.insert("inbox", "hello")).orThrow();
 *   Task task = queue.claim(Claim.from("inbox"));
 *   System.out.println(task.text());
 *   queue.modify(Modification.delete(task)).orThrow();
 * }
 * }</pre>
 *
 * <p>The same interfaces hold over an embedded engine, a server, and a replicated cluster. Anyone
 * may call this; it is light and needs no JVM flags. Types are safe to use from any thread unless
 * they say otherwise.
 */
package io.entroq.api;
