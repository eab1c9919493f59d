package io.entroq.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordType;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallersTest {
  private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  private final OrderedLog log =
      new OrderedLog(new Agenda(), new Chance(1), new Faults(Set.of()), () -> 0, entry -> {});
  private final Callers callers = new Callers();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldForgetWhatIsNeverExecuted(boolean isRepeatable) {
    Request request = new Request(0, RecordType.MODIFY, NOTHING, (sent, reply) -> {});
    Entry entry = new Entry(RecordType.MODIFY, NOTHING, null, 1, isRepeatable);
    callers.add(entry, request, (asked, reply) -> {}, 0);

    callers.proposeAgain(log, 2, 2);
    assertThat(callers.openCount()).isOne();

    for (int time = 3; time < 20; time++) {
      callers.proposeAgain(log, time, time);
    }
    assertThat(callers.openCount()).isZero();
  }
}
