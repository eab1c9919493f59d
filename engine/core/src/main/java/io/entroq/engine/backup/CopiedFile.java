package io.entroq.engine.backup;

/**
 * A file of a backup.
 *
 * @param path as seen from the data directory, with slashes
 * @param bytes how long it is
 * @param crc CRC32C of its bytes
 */
public record CopiedFile(String path, long bytes, int crc) {}
