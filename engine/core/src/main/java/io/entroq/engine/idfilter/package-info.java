/**
 * Knows which parts of a log have no effect on a task, so that its history is found without reading
 * them. While history is kept, the applying thread notes the id of each task that a step has an
 * effect on in Bloom filters ({@link io.entroq.engine.idfilter.IdRecorder}). With each snapshot,
 * those of the log before it become a file ({@link io.entroq.engine.idfilter.IdFilterDirectory}).
 *
 * <p>The files are a cache: where one is missing, damaged or of another log, that part is read. A
 * filter may name an id that is not there, but never omits one.
 */
package io.entroq.engine.idfilter;
