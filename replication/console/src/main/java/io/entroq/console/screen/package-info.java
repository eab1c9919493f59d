/**
 * The pages of the console: what each shows, and in which words. A screen asks bounded questions
 * and makes a page of the answers; a part whose question fails says so, and the others are shown.
 * Runs on threads of its own, which may block for a second.
 */
package io.entroq.console.screen;
