package io.entroq.examples.mapreduce.text;

/**
 * A part of a file.
 *
 * @param file which one, as it was when it was listed
 * @param from where it begins, a byte of the file
 * @param to where it ends, the byte behind the last one
 */
public record Chunk(ListedFile file, long from, long to) {}
