package io.entroq.examples.mapreduce.text;

/**
 * A part of a file.
 *
 * @param file the file as it was when it was listed
 * @param from offset of the first byte
 * @param to offset after the last byte
 */
public record Chunk(ListedFile file, long from, long to) {}
