package io.entroq.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.codec.command.IdFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskFields;
import io.entroq.codec.record.RecordType;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.model.Violation;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineHostTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final Agenda agenda = new Agenda();
  private final EngineHost host = host();
  private final List<Reply> replies = new ArrayList<>();

  private EngineHost host() {
    return new EngineHost(
        agenda,
        new Chance(1),
        EngineLimits.of(new Chance(2)),
        Durability.DISK,
        new SimulatedDisk(),
        new HostClock(agenda),
        new Faults(Set.of()),
        new Ledger(LedgerConfig.of(Durability.DISK, true)),
        new Trace(),
        new LifeListener() {
          @Override
          public void onOpened() {}

          @Override
          public void onLoss() {}

          @Override
          public void onTimeLeap() {}
        });
  }

  @AfterEach
  void switchOff() {
    host.switchOff();
  }

  private void run(long seconds) {
    long endNs = agenda.nowNs() + seconds * SECOND_NS;
    while (agenda.nextNs() <= endNs) {
      agenda.step();
    }
  }

  private void insert(int number) {
    TaskFields task = new TaskFields();
    task.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    ModifyEncoder modify = new ModifyEncoder().wrap(buffer, 0);
    modify.insert(new IdFields().set(1, number), task);
    UnsafeBuffer command = new UnsafeBuffer(buffer, 0, modify.length());
    Request request = new Request(0, RecordType.MODIFY, command, (asked, reply) -> {});
    host.onRequest(request, (asked, reply) -> replies.add(reply));
  }

  private void assertBroken(String rule) {
    assertThatThrownBy(host::requireAtRest)
        .isInstanceOfSatisfying(Violation.class, each -> assertThat(each.rule()).isEqualTo(rule));
  }

  @Test
  void shouldWantAnEngineToBeOpen() {
    assertBroken("opens-undamaged");

    host.open();
    host.requireAtRest();
  }

  @Test
  void shouldWantAReplyToEverything() {
    host.open();
    host.stall(10 * SECOND_NS);
    insert(1);
    insert(2);
    run(9);
    assertBroken("all-answered");
    assertThat(replies).isEmpty();

    run(10);
    host.requireAtRest();
    assertThat(replies).hasSize(2);
  }
}
