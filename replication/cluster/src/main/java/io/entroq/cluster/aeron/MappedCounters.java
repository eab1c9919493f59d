package io.entroq.cluster.aeron;

import io.aeron.CncFileDescriptor;
import java.io.File;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.status.CountersReader;

/**
 * The counters of a media driver, for threads that do not own the Aeron client whose counters they
 * read. A client that ends, for example after its process stalled, unmaps its own counters at once,
 * and reading them then ends the process.
 */
public final class MappedCounters {
  private MappedCounters() {}

  /**
   * Maps the counters. Only the garbage collector unmaps them, when nobody can read them any more.
   * Any thread may read them, also after driver and clients have ended.
   *
   * @param driverDirectory of a driver that has started
   */
  public static CountersReader of(Path driverDirectory) {
    File file = new File(driverDirectory.toFile(), CncFileDescriptor.CNC_FILE);
    MappedByteBuffer mapped = IoUtil.mapExistingFile(file, "the driver's counters");
    DirectBuffer head = CncFileDescriptor.createMetaDataBuffer(mapped);
    return new CountersReader(
        CncFileDescriptor.createCountersMetaDataBuffer(mapped, head),
        CncFileDescriptor.createCountersValuesBuffer(mapped, head));
  }
}
