/**
 * Framing and checksums of log records. Used by the engine and the modules around it. Corrupt bytes
 * are rejected, never repaired. Not thread-safe.
 */
package io.entroq.codec.record;
