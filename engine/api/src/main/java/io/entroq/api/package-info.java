/**
 * The public API: the queue, tasks, claims, atomic modifications and docs.
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
 * <p>The API is the same for an embedded engine, a server and a replicated cluster. It needs no JVM
 * flags. Types are thread-safe unless they say otherwise.
 */
package io.entroq.api;
