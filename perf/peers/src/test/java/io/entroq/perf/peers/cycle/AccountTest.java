package io.entroq.perf.peers.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTest {
  private final Ledger first = new Ledger(0);
  private final Ledger second = new Ledger(1);

  @Test
  void shouldBeExactWhenCallersCommitWhatOthersInserted() {
    long a = first.nextNumber();
    long b = first.nextNumber();
    long c = second.nextNumber();
    second.committed(a);
    first.committed(c);
    second.committed(b);
    assertThat(account()).isEqualTo(new Account(3, 3, 0, 0));
    assertThat(account().isExact()).isTrue();
    assertThat(first.debt()).isEqualTo(1);
    assertThat(second.debt()).isEqualTo(-1);
  }

  @Test
  void shouldCountLostWhenSomethingWasNeverCommitted() {
    first.committed(first.nextNumber());
    long unused = second.nextNumber();
    assertThat(Payload.caller(unused)).isEqualTo(1);
    assertThat(account()).isEqualTo(new Account(2, 1, 1, 0));
    assertThat(account().isExact()).isFalse();
  }

  @Test
  void shouldCountLostAndDoubledWhenOneWasCommittedTwiceInsteadOfTwoOnce() {
    long a = first.nextNumber();
    first.nextNumber();
    first.committed(a);
    second.committed(a);
    assertThat(account()).isEqualTo(new Account(2, 2, 1, 1));
  }

  @Test
  void shouldKeepNumbersWhenTheyAreEncoded() {
    Payload payload = new Payload(42);
    long number = Payload.number(31, 1L << 33);
    byte[] value = payload.encode(number);
    assertThat(value).hasSize(128);
    assertThat(payload.decode(value)).isEqualTo(number);
    assertThat(Payload.caller(number)).isEqualTo(31);
    assertThat(Payload.sequence(number)).isEqualTo(1L << 33);
  }

  @Test
  void shouldRefuseValuesWhenTheyAreOfAnotherMeasurementOrDamaged() {
    Payload payload = new Payload(42);
    byte[] value = payload.encode(7);
    assertThatThrownBy(() -> new Payload(43).decode(value))
        .hasMessageContaining("not inserted by this measurement");
    value[value.length - 1] ^= 1;
    assertThatThrownBy(() -> payload.decode(value))
        .hasMessageContaining("not inserted by this measurement");
    assertThatThrownBy(() -> payload.decode(new byte[5])).hasMessageContaining("5 bytes");
  }

  private Account account() {
    return Account.of(List.of(first, second));
  }
}
