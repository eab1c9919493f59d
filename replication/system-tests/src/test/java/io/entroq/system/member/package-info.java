/**
 * Members as processes: {@link io.entroq.system.member.MemberMain} is what runs in one, {@link
 * io.entroq.system.member.MemberProcess} starts it, tells it over its input what network and clock
 * are to do to it, and stops, freezes or kills it. A member ends when its input does, so nothing
 * outlives the tests.
 */
package io.entroq.system.member;
