package io.entroq.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Modify;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.undo.Cells;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModifyCheckTest {
  private final Account account = new Account();
  private int name;

  /** A modify that fails is checked and changes nothing. */
  @BeforeEach
  void refuseAModifyThatNamesAQueue() {
    account.level(Levels.MAX);
    Modify.Builder two = Script.insertion("new", 5, Script.START_MS).setQueueTasksMax(1);
    two.addInserts(Script.insertion("new", 6, Script.START_MS).getInserts(0));
    UnsafeBuffer bytes = new UnsafeBuffer(two.build().toByteArray());
    ModifyDecoder modify = new ModifyDecoder();
    modify.wrap(bytes, 0, bytes.capacity());

    int code =
        new ModifyCheck(account, new PolicyRules(account)).check(modify, Script.START_MS, false);

    assertThat(code).isEqualTo(ResultCodes.NEVER_FITS);
    name = account.names.count();
    assertThat(account.names.text(name)).isEqualTo("new");
  }

  @Test
  void shouldMakeNoQueue() {
    assertThat(account.queues.find(name)).isEqualTo(Cells.NONE);
  }

  @Test
  void shouldLeaveNoNameForEver() {
    QueueSweep sweep = new QueueSweep(account);
    account.sequence = 5;
    sweep.sweep(0);
    assertThat(account.names.isUsed(name)).isTrue();
    sweep.sweep(6);
    assertThat(account.names.isUsed(name)).isFalse();
  }
}
