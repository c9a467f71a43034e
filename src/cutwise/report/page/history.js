// Edits one after the other, so that each can be undone and redone.

export class History {
  constructor(onChange) {
    this.onChange = onChange;
    this.done = [];
    this.undone = [];
  }

  /** Give an attribute other cuts or groups; `words` say what was done. */
  edit(attribute, chosen, words) {
    this.done.push({ attribute, before: attribute.chosen, after: chosen, words });
    this.undone = [];
    attribute.chosen = chosen;
    this.onChange([attribute], words);
  }

  undo() {
    const edit = this.done.pop();
    if (!edit) return;
    this.undone.push(edit);
    edit.attribute.chosen = edit.before;
    this.onChange([edit.attribute], `Undone: ${edit.words}`);
  }

  redo() {
    const edit = this.undone.pop();
    if (!edit) return;
    this.done.push(edit);
    edit.attribute.chosen = edit.after;
    this.onChange([edit.attribute], `Redone: ${edit.words}`);
  }
}
