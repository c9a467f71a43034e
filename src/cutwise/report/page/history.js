// Edits one after the other, so that each can be undone and redone.

export class History {
  constructor(onChange) {
    this.onChange = onChange;
    this.done = [];
    this.undone = [];
  }

  /** Give an attribute other cuts; `words` say what was done. */
  edit(attribute, cuts, words) {
    this.done.push({ attribute, before: attribute.cuts, after: cuts, words });
    this.undone = [];
    attribute.cuts = cuts;
    this.onChange([attribute], words);
  }

  undo() {
    const edit = this.done.pop();
    if (!edit) return;
    this.undone.push(edit);
    edit.attribute.cuts = edit.before;
    this.onChange([edit.attribute], `Undone: ${edit.words}`);
  }

  redo() {
    const edit = this.undone.pop();
    if (!edit) return;
    this.done.push(edit);
    edit.attribute.cuts = edit.after;
    this.onChange([edit.attribute], `Redone: ${edit.words}`);
  }
}
