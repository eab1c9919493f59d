package io.entroq.perf.served;

/**
 * What a server takes, in bytes.
 *
 * @param heap objects that are alive
 * @param direct buffers outside the heap, where tasks are
 * @param resident what the kernel counts, with the pages of mapped files
 * @param anonymous that without them
 */
record ServerMemory(long heap, long direct, long resident, long anonymous) {
  /** What has come since. */
  ServerMemory minus(ServerMemory before) {
    return new ServerMemory(
        heap - before.heap,
        direct - before.direct,
        resident - before.resident,
        anonymous - before.anonymous);
  }
}
