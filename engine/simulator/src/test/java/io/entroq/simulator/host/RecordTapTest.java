package io.entroq.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.RunAppender;
import io.entroq.simulator.check.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RecordTapTest {
  private static final int LENGTH = RecordFrame.HEADER_BYTES + 8;
  private static final Path FILE = Path.of("segment");

  private final Memory memory = new Memory();
  private final List<Long> taken = new ArrayList<>();
  private final RunAppender tapped =
      new RecordTap((run, config) -> memory, (frame, record, file, at) -> take(frame, file))
          .open(FILE, LogConfig.defaults());

  private void take(RecordFrame frame, Path file) {
    assertThat(memory.commits).as("taken once it is there").isOne();
    assertThat(file).isEqualTo(FILE);
    taken.add(frame.sequence());
  }

  private MutableDirectBuffer write() {
    MutableDirectBuffer record = tapped.open(64, LENGTH);
    UnsafeBuffer payload = new UnsafeBuffer(new byte[8]);
    int crc = new Crc32c().of(payload, 0, 8);
    new RecordFrame().write(record, 0, RecordType.TICK, 7, 6, 1_000, 1, crc, payload, 0, 8);
    return record;
  }

  @Test
  void shouldHandOnARecordThatCanBeRead() {
    write();
    tapped.commit();

    assertThat(taken).containsExactly(7L);
  }

  @Test
  void shouldNotAcceptARecordThatCannotBeRead() {
    MutableDirectBuffer record = write();
    record.putByte(LENGTH - 1, (byte) 1);

    assertThatThrownBy(tapped::commit)
        .isInstanceOfSatisfying(
            Violation.class, each -> assertThat(each.rule()).isEqualTo("record-sound"));
    assertThat(taken).isEmpty();
    assertThat(memory.commits).isZero();
  }

  /** A run that is not read. */
  private static final class Memory implements RunAppender {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1_024]);
    private int commits;

    @Override
    public void roll() {}

    @Override
    public MutableDirectBuffer open(long position, int length) {
      return buffer;
    }

    @Override
    public void commit() {
      commits++;
    }

    @Override
    public void rollback() {}

    @Override
    public Path file() {
      return FILE;
    }

    @Override
    public void close() {}
  }
}
