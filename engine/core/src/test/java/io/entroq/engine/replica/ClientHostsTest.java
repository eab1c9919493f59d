package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientHostsTest {
  private static final int CALLERS = 1_000;

  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final ClientHosts holders = new ClientHosts();
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

  @BeforeEach
  void begin() {
    apply(
        RecordType.GENESIS,
        new GenesisEncoder()
            .wrap(buffer, 0)
            .logIdHigh(1)
            .logIdLow(2)
            .seed(3)
            .level(Levels.MAX)
            .length());
  }

  @AfterEach
  void close() {
    machine.close();
  }

  @Test
  void shouldKnowWhoHeldACallerLast() {
    assertThat(holders.of(5, 1)).isZero();
    for (int i = 1; i <= CALLERS; i++) {
      known(i);
      holders.note(5, i, i % 3 + 1, machine);
    }
    holders.note(5, 7, 99, machine);
    for (int i = 1; i <= CALLERS; i++) {
      assertThat(holders.of(5, i)).isEqualTo(i == 7 ? 99 : i % 3 + 1);
    }
    assertThat(holders.of(6, 1)).isZero();
    assertThat(holders.size()).isEqualTo(CALLERS);
  }

  @Test
  void shouldBeReadAsItWasWritten() {
    for (int i = 1; i <= CALLERS; i++) {
      known(i);
      holders.note(5, i, i % 3 + 1, machine);
    }
    int length = holders.write(buffer, machine);
    ClientHosts read = ClientHosts.read(buffer, 0, length);
    for (int i = 1; i <= CALLERS; i++) {
      assertThat(read.of(5, i)).isEqualTo(i % 3 + 1);
    }
    assertThat(read.hash(machine)).isEqualTo(holders.hash(machine)).isNotZero();
    assertThat(ClientHosts.read(buffer, 0, 0).hash(machine)).isZero();
  }

  @Test
  void shouldForgetWhomTheStateHasForgotten() {
    known(1);
    holders.note(5, 1, 9, machine);
    for (int i = 2; i < 100_000; i++) {
      holders.note(5, i, 9, machine);
    }
    assertThat(holders.size()).isLessThan(100);
    assertThat(holders.of(5, 1)).isEqualTo(9);
    assertThat(holders.write(buffer, machine)).isEqualTo(24);
  }

  @Test
  void shouldRefuseWhatIsNone() {
    buffer.setMemory(0, 72, (byte) 0);
    assertThatThrownBy(() -> ClientHosts.read(buffer, 0, 23)).hasMessageContaining("23 bytes");
    buffer.putLong(8, 1);
    assertThatThrownBy(() -> ClientHosts.read(buffer, 0, 24))
        .hasMessageContaining("a client without a host");
    buffer.putLong(16, 7);
    buffer.putLong(32, 1);
    buffer.putLong(40, 7);
    assertThatThrownBy(() -> ClientHosts.read(buffer, 0, 48)).hasMessageContaining("twice");
  }

  private void known(long low) {
    apply(RecordType.MODIFY, new ModifyEncoder().wrap(buffer, 0).identity(5, low, 1, 1).length());
  }

  private void apply(int type, int length) {
    long sequence = machine.sequence() + 1;
    int crc = new Crc32c().of(buffer, 0, length);
    machine.apply(type, buffer, 0, length, crc, 1_000, sequence, ResultSink.DISCARDING);
  }
}
