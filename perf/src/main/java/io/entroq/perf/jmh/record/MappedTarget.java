package io.entroq.perf.jmh.record;

import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A sequence of mapped files. */
final class MappedTarget implements RecordTarget {
  private final Path directory;
  private final UnsafeBuffer record = new UnsafeBuffer(new byte[RECORD_BYTES]);
  private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
  private FileChannel channel;
  private MappedByteBuffer mapping;
  private long segment;
  private int position;

  MappedTarget(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    record.setMemory(0, RECORD_BYTES, (byte) 0x5A);
    open();
  }

  private void open() throws IOException {
    channel =
        FileChannel.open(
            directory.resolve(SegmentLayout.fileName(segment++)),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    mapping = channel.map(FileChannel.MapMode.READ_WRITE, 0, SEGMENT_BYTES);
    target.wrap(mapping);
    position = 0;
  }

  @Override
  public void append() throws IOException {
    if (position + RECORD_BYTES > SEGMENT_BYTES) {
      close();
      open();
    }
    target.putBytes(position, record, 0, RECORD_BYTES);
    position += RECORD_BYTES;
  }

  @Override
  public void force() throws IOException {
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    IoUtil.unmap(mapping);
    channel.close();
  }
}
