package io.entroq.engine.backup;

/**
 * A file of a backup.
 *
 * @param path relative to the data directory, with slashes
 * @param bytes its size
 * @param crc CRC32C of its bytes
 */
public record CopiedFile(String path, long bytes, int crc) {}
